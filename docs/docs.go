// Package docs embeds the pages of the manual in the binary.
package docs

import "embed"

// Pages contains one Markdown file for each page of the manual.
//
//go:embed *.md
var Pages embed.FS
