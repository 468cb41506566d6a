package sessions

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages/lists"
	"marvin/persistence/sessions"
	"marvin/tools"
	"marvin/ui/termsafe"
)

func (a Archive) rename(asked renameCommand) error {
	name, title := asked.Args.Name, strings.Join(strings.Fields(asked.Title), " ")
	if name == "" && title == "" {
		return errors.New("there is nothing to change; example: marvin sessions rename 20261122-144702-ucd2oj release")
	}
	if err := cli.CheckName(name); err != nil {
		return err
	}
	info, err := a.findNamed(string(asked.Args.ID))
	if err != nil {
		return err
	}
	var busy *sessions.BusyError
	if err := sessions.New(a.Home).Rename(info.ID, name, title); errors.As(err, &busy) {
		return fmt.Errorf("conversation %s is open in another Marvin: rename it there with /rename TITLE, or close it first", info.ID)
	} else if err != nil {
		return err
	}
	if a.json {
		if info, err = a.findNamed(info.ID); err != nil {
			return err
		}
		return a.write(NewRow(info))
	}
	if name != "" {
		fmt.Fprintf(a.World.Stdout, "Conversation %s can now be opened with --session %s\n", info.ID, termsafe.Line(name))
	}
	if title != "" {
		fmt.Fprintf(a.World.Stdout, "%s is called %s\n", info.ID, termsafe.Line(title))
	}
	return nil
}

func (a Archive) rm(asked rmCommand) error {
	list := a.List()
	var chosen []sessions.Info
	var problems []error
	for _, text := range asked.Args.IDs {
		info, err := namedIn(list, string(text))
		if err == nil && asked.Yes && info.Name != string(text) && !strings.HasPrefix(info.ID, string(text)) {
			err = fmt.Errorf("no conversation has the id or the name %q; %s (%s) has these words in its title, but with --yes only an id or a name counts", text, info.ID, termsafe.Line(info.DisplayName()))
		}
		if err != nil && sessions.New(a.Home).Exists(string(text)) { // the file is damaged
			info, err = sessions.Info{Header: sessions.Header{ID: string(text)}}, nil
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if !slices.ContainsFunc(chosen, func(other sessions.Info) bool { return other.ID == info.ID }) {
			chosen = append(chosen, info)
		}
	}
	if len(problems) > 0 {
		return fmt.Errorf("%w\nnothing was removed", errors.Join(problems...))
	}
	return a.remove(chosen, asked.Yes)
}

func (a Archive) prune(asked pruneCommand) error {
	age, err := age(asked.OlderThan)
	if err != nil {
		return err
	}
	if asked.Keep < 0 {
		return fmt.Errorf("--keep %d is not a valid number of conversations; give a number such as 20, or leave --keep out", asked.Keep)
	}
	list := a.List()
	before := a.World.Now().Add(-age)
	old := slices.DeleteFunc(list[min(asked.Keep, len(list)):], func(info sessions.Info) bool { return !info.Updated.Before(before) })
	if len(old) == 0 && !a.json {
		fmt.Fprintln(a.World.Stdout, "No conversation is that old; nothing was removed.")
		return nil
	}
	return a.remove(old, asked.Yes)
}

// age parses a duration such as 36h, 90d or 12w.
func age(text string) (time.Duration, error) {
	for unit, length := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		number, ok := strings.CutSuffix(text, unit)
		if count, err := strconv.Atoi(number); ok && err == nil && count >= 0 && count < 100_000/7 {
			return time.Duration(count) * length, nil
		}
	}
	length, err := time.ParseDuration(text)
	if err != nil || length < 0 {
		return 0, fmt.Errorf("--older-than %q is not an age; give an age such as 36h, 90d or 12w", text)
	}
	return length, nil
}

func (a Archive) remove(chosen []sessions.Info, yes bool) error {
	if !yes && len(chosen) > 0 {
		if err := a.consent(chosen); err != nil {
			return err
		}
	}
	ids := lists.Map(chosen, func(info sessions.Info) string { return info.ID })
	removed, err := sessions.New(a.Home).Remove(ids...)
	gone := slices.DeleteFunc(slices.Clone(chosen), func(info sessions.Info) bool { return !slices.Contains(removed, info.ID) })
	if a.json {
		return errors.Join(a.write(asListed(gone)), err)
	}
	for _, info := range gone {
		fmt.Fprintln(a.World.Stdout, "removed", Row(info, 0))
	}
	return err
}

// consent asks the user whether to remove the conversations. Without a terminal, it returns an
// error.
func (a Archive) consent(chosen []sessions.Info) error {
	for _, info := range chosen {
		fmt.Fprintln(a.World.Stderr, Row(info, 0))
	}
	what := fmt.Sprintf("%d conversations", len(chosen))
	if len(chosen) == 1 {
		what = "this conversation"
	}
	if a.World.Stdin == nil || !cli.Terminal(a.World.Stdin) {
		return fmt.Errorf("without a terminal, Marvin cannot ask you whether to remove %s; --yes removes without asking", what)
	}
	return cli.Confirm(a.World, fmt.Sprintf("Remove %s for good?", what), "Nothing was removed.")
}

// checked is the JSON form of a file's check result.
type checked struct {
	ID       string   `json:"id"`
	Path     string   `json:"path"`
	Steps    int      `json:"steps"`
	GoesOn   int      `json:"goes_on"`
	Problems []string `json:"problems"`
}

func (a Archive) check() error {
	registry := extensions.NewRegistry(a.Home, tools.NewHTTPClient(nil), a.World.Now)
	all, damaged := []checked{}, 0
	meter := cli.NewMeter(a.World, "Checking conversations")
	files := sessions.New(a.Home).Watch(meter.Step).Check()
	meter.End()
	meter = cli.NewMeter(a.World, "Checking the conversations")
	for _, found := range files {
		meter.Step(len(files))
		if len(found.Problems) == 0 { // the lines are valid JSON; now check their content
			info := sessions.Info{Header: sessions.Header{ID: found.ID}, Path: found.Path}
			told, err := actors.ReadTranscript(a.Home, info, registry)
			if found.Problems = told.Problems; err != nil {
				found.Problems = append(found.Problems, err.Error())
			}
		}
		if len(found.Problems) > 0 {
			damaged++
		}
		all = append(all, checked{ID: found.ID, Path: found.Path, Steps: found.Steps, GoesOn: found.GoesOn, Problems: append([]string{}, found.Problems...)})
	}
	meter.End()
	if a.json {
		if err := a.write(all); err != nil {
			return err
		}
	} else {
		a.report(all, damaged)
	}
	if damaged > 0 {
		return cli.ErrReported
	}
	return nil
}

func (a Archive) report(all []checked, damaged int) {
	out := a.World.Stdout
	for _, found := range all {
		if len(found.Problems) == 0 {
			continue
		}
		fmt.Fprintf(out, "%s (%s)\n", termsafe.Line(found.ID), termsafe.Line(found.Path))
		for _, problem := range found.Problems {
			fmt.Fprintf(out, "  %s\n", termsafe.Line(problem))
		}
		fmt.Fprintf(out, "  still readable: %d steps, %d of them on the current branch\n", found.Steps, found.GoesOn)
	}
	fmt.Fprintf(out, "%d conversations read, %d with problems\n", len(all), damaged)
}
