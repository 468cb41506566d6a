// Package docs is the manual: the pages of this directory, in the binary.
package docs

import "embed"

// Pages are the pages, as NAME.md.
//
//go:embed *.md
var Pages embed.FS
