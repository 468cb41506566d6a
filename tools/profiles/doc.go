// Package profiles contains the tools that switch the profile and change preferences.
//
// A switch does not end the conversation, because the conversation is still on the user's screen.
// The next request uses the new profile's preferences, places, bookmarks and chat log. Marvin
// remembers the new profile for the next start.
package profiles
