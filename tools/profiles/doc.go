// Package profiles lets a conversation change its profile and preferences.
//
// The new profile is also the profile with which Marvin starts next time. From the next request on,
// this conversation uses the preferences, places, bookmarks and chat log of the new profile. The
// conversation itself continues, because the user still sees it.
package profiles
