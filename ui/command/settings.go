package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/messages"
	"marvin/ui/view"
)

// Setting is a setting with its current value.
type Setting struct {
	Key, Help string
	Value     string   // the current value in one line
	From      string   // the source of the value
	Words     []string // the possible values; nil if there is no fixed set
	Explained string   // the full description, which may have several lines
	Fixed     string   // reason why /settings cannot change the value; "" for none
}

// ThemeChoice is a color theme.
type ThemeChoice struct {
	Name, Note string
	Wrong      string // the error in the theme; "" for none
}

type settings struct{ *Env }

// take executes /settings. The command's argument is empty, a key, or a key and a value.
func (s settings) take(text string) {
	key, value, _ := strings.Cut(text, " ")
	if value = strings.TrimSpace(value); value != "" {
		s.set(key, value)
		return
	}
	s.runOutside("read the settings", func(ctx context.Context) func() {
		list, err := s.Host.Settings(ctx)
		return func() {
			switch {
			case err != nil:
				s.fail(err)
			case key != "":
				s.showSetting(list, key)
			default:
				s.choose(list)
			}
		}
	})
}

func (s settings) set(key, value string) {
	if value == "default" {
		value = ""
	}
	s.runOutside("write the setting", func(ctx context.Context) func() {
		said, err := s.Host.Set(ctx, key, value)
		return s.reportOr(err, func() {
			if key == "theme" && s.Front.Theme(value) == nil {
				s.say(said + ".")
				return
			}
			if key == "not_read" {
				s.say(said + ". It applies from your next prompt.")
				return
			}
			s.say(said + ". It applies from the next start.")
		})
	})
}

// choose opens a list of the settings. If the front end has no lists, it writes the settings as
// text.
func (s settings) choose(list []Setting) {
	page := view.List{Title: "Settings: press Enter to change one"}
	var lines strings.Builder
	for _, one := range list {
		page.Items = append(page.Items, view.Item{Text: fmt.Sprintf("%-16s  %s", one.Key, one.Value), Note: one.From, Words: one.Help, Preview: one.Explained})
		fmt.Fprintf(&lines, "%-16s %-24s %s\n", one.Key, one.Value, one.From)
	}
	if !s.Front.Pick(Pick{List: page, Chosen: func(index int) { s.showSetting(list, list[index].Key) }}) {
		s.say(lines.String() + "/settings KEY explains a setting, /settings KEY VALUE changes it, /settings KEY default resets it.")
	}
}

// showSetting lists the possible values of a setting. If no list can be shown, showSetting explains
// the setting.
func (s settings) showSetting(list []Setting, key string) {
	var names []string
	for _, one := range list {
		names = append(names, one.Key)
		if !strings.EqualFold(one.Key, key) {
			continue
		}
		if one.Key == "theme" {
			themes(s).take("")
			return
		}
		page := view.List{Title: one.Key + ": " + one.Help}
		for _, word := range append(one.Words, "default") {
			page.Items = append(page.Items, view.Item{Text: word, Now: word == one.Value, Preview: one.Explained})
		}
		if len(one.Words) > 0 && s.Front.Pick(Pick{List: page, Chosen: func(index int) { s.set(one.Key, page.Items[index].Text) }}) {
			return
		}
		text := one.Explained
		if one.Fixed == "" {
			text += "\n/settings " + one.Key + " VALUE sets it here."
		}
		s.say(text)
		return
	}
	s.warn("There is no setting " + key + suggestOr(key, names, "; /settings lists them."))
}

type themes struct{ *Env }

func (t themes) take(name string) {
	if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
		t.use(name)
		return
	}
	t.runOutside("list the themes", func(ctx context.Context) func() {
		list := t.Host.Themes(ctx)
		now := "auto"
		if all, err := t.Host.Settings(ctx); err == nil {
			for _, one := range all {
				if one.Key == "theme" && one.Value != "" {
					now = one.Value
				}
			}
		}
		return func() { t.choose(list, now) }
	})
}

func (t themes) choose(list []ThemeChoice, now string) {
	page := view.List{Title: "Themes: move through the list to preview", Sample: view.Sample}
	var names []string
	for _, one := range list {
		page.Items = append(page.Items, view.Item{Text: one.Name, Note: one.Note, Now: one.Name == now, Off: one.Wrong, Preview: cmp.Or(one.Wrong, one.Note)})
		names = append(names, one.Name)
	}
	if !t.Front.Pick(Pick{
		List:   page,
		Moved:  func(index int) { _ = t.Front.Theme(list[index].Name) }, // the list shows the error
		Chosen: func(index int) { t.use(list[index].Name) },
		Left:   func() { _ = t.Front.Theme(now) },
	}) {
		t.say("Themes: " + strings.Join(names, ", ") + "\n/theme NAME uses one.")
	}
}

// use applies the named theme and stores the choice. An invalid theme only causes a warning.
func (t themes) use(name string) {
	shown := t.Front.Theme(name)
	if shown != nil && !errors.Is(shown, ErrNoColours) {
		t.Front.Say(messages.Warning, shown.Error()+"; /theme lists them")
		return
	}
	t.runOutside("write the setting", func(ctx context.Context) func() {
		said, err := t.Host.Set(ctx, "theme", name)
		return t.outcome(err, said+".")
	})
}
