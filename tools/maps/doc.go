// Package maps provides tools that search OpenStreetMap by name, by address or with Overpass
// queries.
package maps
