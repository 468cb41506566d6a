// Package profiles lets a conversation change its profile and preferences.
//
// The new profile is stored for the next start, and applies to this conversation from the next
// request on: Marvin then uses the preferences, places, bookmarks and chat log of the new profile.
// The conversation itself continues, because the user still sees it.
package profiles
