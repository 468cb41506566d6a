// Package places manages the user's saved places. Each place is an address with a short label.
// Other tools and the system text use the places.
//
// Package persistence defines the format and the lock of the active profile's saved_places.json. In
// a tool call, 0 is a valid coordinate, and an empty string removes a field.
package places
