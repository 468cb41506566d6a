// Package places keeps a person's address book: places under short labels that
// other tools and the system text know.
//
// The document is saved_places.json of the active profile; its format and its lock
// are persistence's. 0 is a coordinate, and an empty text takes a field away.
package places
