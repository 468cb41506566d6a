package toolbox

import (
	"slices"

	"marvin/tools"
)

// A model with a small context window gets short tool descriptions and fewer tools. find_tools
// finds the omitted tools.

// A context window of fewer than smallWindow tokens is small: full tool descriptions would fill at
// least a fifth of it. toolShare is the percentage of a small window that is available for tools.
// Only tools whose Planning field is true can exceed this share.
const (
	smallWindow = 15_000
	toolShare   = 18
)

// essentialTools lists, in order of importance, the tools that are chosen first for a small window.
var essentialTools = []string{
	findName, "read_file", "run_command", "apply_patch", "create_file", "code_grep", "find_files", "web_search", "git_diff", "tree", "browse_web",
	"calculate", "write_note", "search_notes", "clock", "weather_forecast", "places_text_search", "calendar_add_event", "calendar_list_upcoming", "set_alarm", "read_note", "convert_units",
}

// SmallWindow reports whether a model with a context window of this many tokens gets short tool
// descriptions. 0 means that the size is unknown.
func SmallWindow(window int) bool { return window > 0 && window < smallWindow }

// fitting selects the offered tools that fit into a small context window, in registry order.
// Planning tools are always included. If any tool is omitted, find_tools is included.
func (r *Registry) fitting(offered []tools.Tool, mode tools.Mode, window int) []tools.Tool {
	find, ok := r.byName[findName]
	if !SmallWindow(window) || !ok || !mode.Offers(r.tools[find]) {
		return offered
	}
	left := window*toolShare/100 - r.tools[find].ShortSize()
	kept := map[string]bool{}
	for _, name := range essentialTools {
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

// OfferLimit is the largest number of tools that Marvin offers without a selection. With more
// tools, models make worse choices, and the schemas fill small context windows.
const OfferLimit = 40
