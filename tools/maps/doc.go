// Package maps searches OpenStreetMap, by words and with Overpass queries.
package maps
