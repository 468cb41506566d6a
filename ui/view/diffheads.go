package view

import "strings"

// shortenHeads shortens the header lines of a diff. It shows the file name once. In a hunk header,
// an ellipsis replaces the line numbers, which are shown beside the lines of the hunk.
func shortenHeads(lines []diffLine) []diffLine {
	kept, first := lines[:0], true
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case line.sign == 0 && i+1 < len(lines) && lines[i+1].sign == 0 && strings.HasPrefix(line.text, "--- ") && strings.HasPrefix(lines[i+1].text, "+++ "):
			line.spans = Line{{Role: Strong, Text: displayName(line.text[4:], lines[i+1].text[4:])}}
			first = true
			i++
		case line.sign == '@':
			parts, begins := strings.SplitN(line.text, "@@", 3), first
			if first = false; len(parts) < 3 {
				break // a line without a second "@@" stays unchanged
			}
			section := strings.TrimSpace(parts[2])
			if begins && section == "" {
				continue
			}
			line.spans = Line{{Role: Hunk, Text: strings.TrimSpace("… " + section)}}
		}
		kept = append(kept, line)
	}
	return kept
}

// displayName returns the display name of a file with the given old and new names.
func displayName(was, is string) string {
	name := func(of, prefix string) string {
		of, _, _ = strings.Cut(of, "\t")
		return strings.TrimPrefix(of, prefix)
	}
	was, is = name(was, "a/"), name(is, "b/")
	switch {
	case was == "/dev/null":
		return is + " (new)"
	case is == "/dev/null":
		return was + " (deleted)"
	case was != is:
		return was + " → " + is
	}
	return is
}
