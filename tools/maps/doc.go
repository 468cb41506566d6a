// Package maps provides searches in OpenStreetMap, by words and with Overpass queries.
package maps
