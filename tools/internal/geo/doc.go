// Package geo finds the coordinates of places, and queries OpenStreetMap.
//
// A place is "lat,lng", the label of a saved place, or words for Nominatim, in this order. 0 is a
// valid coordinate, so optional coordinates are pointers.
package geo
