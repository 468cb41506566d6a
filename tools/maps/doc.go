// Package maps searches OpenStreetMap by name or address, and with Overpass queries.
package maps
