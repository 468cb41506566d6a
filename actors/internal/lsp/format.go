package lsp

import (
	"context"
	"strings"

	"marvin/tools"
	"marvin/tools/language"
)

// formatFiles formats the files that a call wrote, if the user has enabled formatting. The deadline
// of the second context applies to all requests to the servers, including the later check for
// problems. If a server fails or needs more than d.limit/2 for a file, the file is not changed.
func (d *Client) formatFiles(ctx, limited context.Context, tool *tools.Tool, env tools.Env, output tools.Output) tools.Output {
	if !d.set.Format || !language.Formatted(tool) {
		return output
	}
	d.mu.Lock()
	files := language.MergeChanges(d.wrote)
	d.mu.Unlock()
	done := map[string]bool{}
	for _, part := range d.set.Parts(files, d.on) {
		if part.Wish.Program == "" {
			continue
		}
		session, err := d.lease(limited, wantLanguage{wish: part.Wish}, nil)
		if err != nil {
			if limited.Err() == nil {
				d.recordRefusal(part.Wish, err)
			}
			continue
		}
		for _, file := range part.Files {
			if file.Content == nil || done[file.Path] || !session.Formats() {
				continue
			}
			done[file.Path] = true
			if text := d.format(ctx, limited, env, session, file); text != "" {
				output.Text = strings.TrimRight(output.Text, "\n") + "\n" + strings.TrimRight(text, "\n")
			}
		}
	}
	return output
}

func (d *Client) format(ctx, limited context.Context, env tools.Env, session *language.Session, file language.File) string {
	asked, stop := context.WithTimeout(limited, d.limit/2)
	defer stop()
	text, err := language.Format(ctx, asked, env, session, file)
	if err != nil {
		return "" // a formatting error does not fail the call
	}
	return text
}

// recordRefusal stores why a server did not start, so that d.check does not request the server
// again.
func (d *Client) recordRefusal(wish language.Wish, err error) {
	if d.refused == nil {
		d.refused = map[string]error{}
	}
	d.refused[wish.Key()] = err
}
