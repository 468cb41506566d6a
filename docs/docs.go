// Package docs embeds the pages of the manual in the binary.
package docs

import "embed"

// Pages contains the pages of the manual, as NAME.md.
//
//go:embed *.md
var Pages embed.FS
