// Package geo finds the coordinates of places, and queries OpenStreetMap.
//
// A place is given as "lat,lng", as the label of a saved place, or as any text that Nominatim can
// find. Optional coordinates are pointers, because 0 is a valid coordinate.
package geo
