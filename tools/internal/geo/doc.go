// Package geo finds the coordinates of places, and queries OpenStreetMap.
//
// The text for a place is read as "lat,lng" first, then as the label of a saved place, then as
// words for Nominatim. Optional coordinates are pointers, because 0 is a valid coordinate.
package geo
