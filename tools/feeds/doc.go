// Package feeds reads news feeds: RSS, RDF, Atom and JSON Feed.
package feeds
