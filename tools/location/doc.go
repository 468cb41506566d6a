// Package location finds the user's position and places nearby.
//
// The position comes from the system's location service, otherwise from the network address; it is
// cached for an hour. Places come from Google if there is a key or a gcloud login, otherwise from
// OpenStreetMap.
//
// gdbus and where-am-i were rejected as sources of the position: a GeoClue client belongs to one
// connection, so each run would be another client.
package location
