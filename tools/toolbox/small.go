package toolbox

import (
	"slices"

	"marvin/tools"
)

// Tools for a model with a small window: fewer, in a short form. find_tools finds the others.

// smallWindow is from how many tokens on a conversation begins with all tools that it is
// meant to, in full: they take a fifth of such a window. toolShare is how much they may take
// in a smaller one, in percent.
const (
	smallWindow = 15_000
	toolShare   = 18
)

// foremost are the tools to keep when not all fit, the most important first.
var foremost = []string{
	findName, "read_file", "run_command", "apply_patch", "create_file", "code_grep", "find_files", "web_search", "git_diff", "tree", "browse_web",
	"calculate", "write_note", "search_notes", "clock", "weather_forecast", "places_text_search", "calendar_add_event", "calendar_list_upcoming", "set_alarm", "read_note", "convert_units",
}

// SmallWindow says whether a model with a window of so many tokens, 0 if that is not known,
// is sent tools in their short form.
func SmallWindow(window int) bool { return window > 0 && window < smallWindow }

// within leaves of the tools that a conversation begins with those that a small window has
// room for, in the same order.
func (r *Registry) within(offered []tools.Tool, mode tools.Mode, window int) []tools.Tool {
	find, ok := r.byName[findName]
	if !SmallWindow(window) || !ok || !mode.Offers(r.tools[find]) {
		return offered
	}
	left := window*toolShare/100 - r.tools[find].ShortSize()
	kept := map[string]bool{}
	for _, name := range foremost {
		at := slices.IndexFunc(offered, func(t tools.Tool) bool { return t.Name == name })
		if at < 0 || name == findName {
			continue
		}
		if size := offered[at].ShortSize(); size <= left {
			kept[name], left = true, left-size
		}
	}
	whole := true
	for _, tool := range offered {
		if kept[tool.Name] || tool.Name == findName {
			continue
		}
		if size := tool.ShortSize(); size <= left || tool.Planning {
			kept[tool.Name], left = true, left-size
		} else {
			whole = false
		}
	}
	if whole {
		return offered
	}
	return slices.DeleteFunc(slices.Clone(r.tools), func(t tools.Tool) bool { return !kept[t.Name] && t.Name != findName })
}

// OfferLimit is how many tools are sent to a model in full. Beyond it, models
// choose worse and schemas eat the window of small ones.
const OfferLimit = 40
