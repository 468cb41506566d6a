package host

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/persistence/chat"
	"marvin/persistence/personal"
	"marvin/ui/command"
	"marvin/ui/slash"
)

const mostCompletions = 200

// Complete returns the completions of a typed prefix.
func Complete(p *app.App, kind slash.Kind, dir, prefix string) []slash.Completion {
	var names []string
	var list []slash.Completion
	switch kind {
	case slash.KindPath:
		return slash.WithoutNotes(pathsBelow(p, dir, prefix))
	case slash.KindFolder:
		return slash.WithoutNotes(slices.DeleteFunc(pathsBelow(p, dir, prefix), func(path string) bool { return !strings.HasSuffix(path, "/") }))
	case slash.KindFile:
		return slash.WithoutNotes(filesNamed(&p.Found, p, dir, prefix))
	case slash.KindCommand: // the caller adds Marvin's own commands
		for _, one := range (typedWords{p}).ListWritten(context.Background(), dir) {
			list = append(list, slash.Completion{Item: one.Name, Note: one.Description})
		}
	case slash.KindTool:
		for _, tool := range p.Config.Tools.Snapshot().All() {
			list = append(list, slash.Completion{Item: tool.Name, Note: extensions.Summary(tool)})
		}
	case slash.KindProvider:
		for _, provider := range p.Accounts.Pool.All() {
			names = append(names, provider.Name)
		}
	case slash.KindModel:
		names = usableModels(p)
	case slash.KindProfile:
		names, _ = personal.Profiles(p.Config.Home) // an unreadable list has no completions
	default:
		list = noted(p, kind)
	}
	found := slash.Matching(append(slash.WithoutNotes(names), list...), prefix)
	return found[:min(len(found), mostCompletions)]
}

func noted(p *app.App, kind slash.Kind) (all []slash.Completion) {
	ctx, h := context.Background(), hostOf(p)
	switch kind {
	case slash.KindMode:
		for _, mode := range messages.Approvals() {
			all = append(all, slash.Completion{Item: string(mode), Note: mode.Description()})
		}
	case slash.KindLevel:
		all = slash.WithoutNotes(command.Levels())
	case slash.KindTheme:
		for _, one := range h.Themes(ctx) {
			all = append(all, slash.Completion{Item: one.Name, Note: cmp.Or(one.Wrong, one.Note)})
		}
	case slash.KindSetting:
		list, _ := h.Settings(ctx) // an unreadable list has no completions
		for _, one := range list {
			all = append(all, slash.Completion{Item: one.Key, Note: one.Help})
		}
	case slash.KindSession:
		list, _ := h.Sessions(ctx, "")
		for _, one := range list {
			all = append(all, slash.Completion{Item: cmp.Or(one.Name, one.ID), Note: one.Called})
		}
	}
	return all
}

// usableModels returns the usable models. The first call queries the providers, so it must not run
// in the screen's event loop.
func usableModels(p *app.App) []string {
	p.Models.Do(func() {
		p.Known = append(p.Known, p.Selection.Model)
		for _, choice := range (chooser{p}).Models(context.Background(), messages.NeedsShown{}) {
			if !slices.Contains(p.Known, choice.Model) {
				p.Known = append(p.Known, choice.Model)
			}
		}
	})
	return p.Known
}

// pathsBelow returns the paths that begin with the typed text. Directories end with a slash. Hidden
// entries are listed only if the user typed the leading dot.
func pathsBelow(p *app.App, dir, prefix string) []string {
	begin := prefix[:strings.LastIndexByte(prefix, '/')+1]
	rest := prefix[len(begin):]
	where := begin
	if below, ok := strings.CutPrefix(begin, "~/"); ok {
		where = filepath.Join(p.World.Home, below)
	} else if !filepath.IsAbs(begin) {
		where = filepath.Join(cmp.Or(dir, p.World.Dir), begin)
	}
	entries, err := os.ReadDir(where)
	if err != nil {
		return nil
	}
	var found []string
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, rest) || rest == "" && name[0] == '.' || len(found) == mostCompletions {
			continue
		}
		if info, err := os.Stat(filepath.Join(where, name)); err == nil && info.IsDir() {
			name += "/"
		}
		found = append(found, begin+name)
	}
	return found
}

func filesNamed(f *app.FileFinder, p *app.App, dir, word string) []string {
	dir = cmp.Or(dir, p.World.Dir)
	if dir == p.World.Home || dir == "/" { // the search would read the whole disk
		return nil
	}
	return f.Find(p.World, dir, word, Mentioned(p))
}

// Mentioned returns the paths that the user recently typed after @, newest first.
func Mentioned(p *app.App) (list []string) {
	typed, _ := chat.Inputs(p.Config.Home.Profile(p.Profile)) // an error means no recent paths
	for i := len(typed) - 1; i >= 0 && len(list) < app.MaxFoundTools; i-- {
		for word := range strings.FieldsSeq(typed[i]) {
			if path, ok := strings.CutPrefix(word, "@"); ok && path != "" {
				list = append(list, path)
			}
		}
	}
	return list
}
