// Package profiles lets a conversation change its profile and preferences.
//
// A switch is stored for the next start and applies to this conversation from the next request:
// preferences, places, bookmarks and chat log are then those of the new profile. The conversation
// stays, because it is on the screen.
package profiles
