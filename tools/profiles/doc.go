// Package profiles lets a conversation change whose it is and what that person likes.
//
// A switch is remembered for the next start and holds in this conversation from the
// next request on: preferences, places, bookmarks and chat log are then those of the
// new profile. What was said so far stays, because it is on the screen.
package profiles
