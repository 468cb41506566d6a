// Package location finds the user's position and nearby places.
//
// The position comes from the system's location service or, if that fails, from the IP address. The
// package caches the position for an hour. Places come from Google if the user has an API key or a
// gcloud login, and otherwise from OpenStreetMap.
//
// The package talks to GeoClue directly instead of running gdbus or where-am-i. A GeoClue client
// belongs to one connection, so each run of these programs would create a new client.
package location
