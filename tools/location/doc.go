// Package location knows where the user is and what places there are around.
//
// The user's own position comes from the system's location service and, where there
// is none, from the network address; it is remembered for an hour. Places come from
// Google where there is a key or a login of gcloud, and else from OpenStreetMap.
//
// Decided against calling gdbus or where-am-i for the position: a GeoClue client
// belongs to one connection, so each run of gdbus would be another one.
package location
