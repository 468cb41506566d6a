// Package geo turns what people call a place into a point, and asks OpenStreetMap.
//
// A place is "lat,lng", the label of a saved place, or words for Nominatim, in that
// order. 0 is a coordinate everywhere: what may be absent is a pointer.
package geo
