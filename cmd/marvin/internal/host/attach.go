package host

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"marvin/cmd/marvin/internal/app"
	"marvin/messages"
	written "marvin/persistence/words"
	"marvin/tools"
	"marvin/tools/coding"
	"marvin/ui/command"
)

// If a prompt mentions a file with "@", Marvin reads the file through a tool call. The call obeys
// the same limits, permissions, privacy rules and trust rules as a model's call, and the user sees
// which files were attached.

const (
	// AttachLimit is the maximum size of an attached file, in bytes. For a larger file, read_file
	// returns only the first part, which is seldom the part that the user wants.
	AttachLimit = 256 << 10
	// attachDepth is the maximum depth of an attached directory's tree.
	attachDepth = 2
)

// attached creates the tool calls that read mentioned files and directories. It skips paths outside
// dir.
func attached(ctx context.Context, p *app.App, text, dir string) command.Attached {
	dir = cmp.Or(dir, p.World.Dir)
	mentions := written.Mentions(text, dir)
	all := command.Attached{Provider: addressed(p, text, dir)}
	outside := slices.DeleteFunc(written.OutsideMentions(text, dir, p.World.Home), func(name string) bool { return len(command.PictureNames(name)) > 0 })
	if len(outside) > 0 {
		all.Said = fmt.Sprintf("Not attached: %s is outside the working directory. Copy it there, or change the directory with /cd.", tools.Visible(strings.Join(outside, ", ")))
	}
	if len(mentions) == 0 {
		return all
	}
	var files []string
	for _, one := range mentions {
		if !one.Dir {
			files = append(files, one.Path)
		}
	}
	ignored := coding.Ignored(ctx, dir, tools.Distrust(p.World.Environ, dir), files)
	var left []string
	for _, one := range mentions {
		switch {
		case !one.Dir && len(command.PictureNames(one.Path)) > 0: // the file is sent as a picture
		case slices.Contains(ignored, one.Path):
			left = append(left, tools.Visible(one.Path)+" is ignored by git")
		case one.Size > AttachLimit && !one.Dir && one.First == 0:
			left = append(left, fmt.Sprintf("%s is large (%d KB)", tools.Visible(one.Path), one.Size>>10))
		default:
			all.Calls = append(all.Calls, attach(one))
		}
	}
	if len(left) > 0 {
		all.Said = strings.TrimSpace(all.Said + "\nNot attached: " + strings.Join(left, "; ") + ". The model gets only the file's name, but it can read the file.")
	}
	return all
}

// addressed returns the role, provider or model named at the start of text, such as "small" for
// "@small what is this?". It returns "" if there is no such name, or if a file has that name.
func addressed(p *app.App, text, dir string) string {
	word, rest := command.FirstWord(text)
	name, isName := strings.CutPrefix(word, "@")
	if !isName || rest == "" || len(written.Mentions(word, dir)) > 0 {
		return ""
	}
	_, _, isModel := p.Accounts.Pool.Names(name)
	_, err := p.Accounts.Pool.Lookup(name)
	if !isModel && err != nil && len(p.Accounts.Roles[name]) == 0 {
		return ""
	}
	return name
}

// attach returns the tool call that reads a mentioned file or directory.
func attach(one written.Mention) messages.ToolCall {
	name, args := "read_file", map[string]any{"path": one.Path}
	switch {
	case one.Dir:
		name, args["max_depth"] = "tree", attachDepth
	case one.Last > 0:
		args["start_line"], args["end_line"] = one.First, one.Last
	case one.First > 0:
		args["start_line"] = one.First
	}
	encoded, err := json.Marshal(args)
	if err != nil {
		panic(fmt.Sprintf("strings and numbers cannot be encoded: %v", err))
	}
	return messages.ToolCall{Name: name, Args: encoded}
}
