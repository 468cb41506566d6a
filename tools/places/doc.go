// Package places manages the user's saved places: addresses with short labels. Other tools and the
// system text use them.
//
// The places are stored in the active profile's saved_places.json. Package persistence defines the
// format and the lock. In a call, 0 is a valid coordinate, and an empty string removes a field.
package places
