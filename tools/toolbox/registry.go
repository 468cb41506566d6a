package toolbox

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/advice"
	"marvin/tools/internal/near"
	"marvin/tools/internal/params"
)

// Registry stores tools in the order in which they were added. No tools are added once a Registry
// is in use, so readers need no lock.
type Registry struct {
	tools   []tools.Tool
	byName  map[string]int
	section string
	own     int          // number of Marvin's own tools, which come first; 0 means that all tools are Marvin's own
	sources []string     // sorted names of the sources
	undoing []tools.Tool // internal tools that undo calls
	shelf   *Shelf       // nil if the registry belongs to no shelf

	later []Summary        // sources of which only a summary is known
	rest  func() *Registry // loads the remaining sources; nil if none remain

	indexing sync.Once // the first search builds the index
	index    *index

	offers sync.Map // keyed by offerKey; each value is a function that computes the offer once
}

// Section starts a section of the documentation for the tools added next.
func (r *Registry) Section(title string) { r.section = title }

// Add appends tools. It panics if two tools have the same name. Any test run would reveal such a
// mistake.
func (r *Registry) Add(tools ...tools.Tool) {
	if r.byName == nil {
		r.byName = map[string]int{}
	}
	r.offers.Clear()
	for _, tool := range tools {
		if _, taken := r.byName[tool.Name]; taken {
			panic("tools: two tools have the name " + tool.Name)
		}
		r.byName[tool.Name], tool.Section = len(r.tools), r.section
		r.tools = append(r.tools, tool)
	}
}

// AddUndoing adds tools that only /undo can call, and that no model sees.
func (r *Registry) AddUndoing(tools ...tools.Tool) { r.undoing = append(r.undoing, tools...) }

// WithUndoing returns a registry that also contains the tools added with [Registry.AddUndoing].
func (r *Registry) WithUndoing() *Registry {
	r = r.loadAll()
	whole := &Registry{tools: slices.Clone(r.tools), byName: maps.Clone(r.byName), shelf: r.shelf}
	whole.Add(r.undoing...)
	return whole
}

// All returns every tool in order. The caller must not change the slice.
func (r *Registry) All() []tools.Tool { return r.loadAll().tools }

// OwnTools returns Marvin's own tools. The caller must not change the slice.
func (r *Registry) OwnTools() []tools.Tool {
	if r.sources == nil {
		return r.tools
	}
	return r.tools[:r.own:r.own]
}

// Sources returns the names of the sources whose tools are listed after Marvin's own tools.
func (r *Registry) Sources() []string { return r.sources }

// Lookup finds a tool by its name, or by the name of a corresponding tool of another agent. In the
// second case, the result also accepts the other tool's arguments.
func (r *Registry) Lookup(name string) (tools.Tool, bool) {
	if i, ok := r.byName[name]; ok {
		return r.tools[i], true
	}
	r = openTool(r, name)
	if i, ok := r.byName[name]; ok {
		return r.tools[i], true
	}
	return r.findForeign(name, func(tools.Tool) string { return "" })
}

// ToolsFor returns the tools of a mode, in the order of the registry.
func (r *Registry) ToolsFor(mode tools.Mode) []tools.Tool {
	return r.loadAll().present(mode)
}

// Find returns the named tool if it is available in the mode. The error suggests similar names, or
// gives the reason why the tool is unavailable.
func (r *Registry) Find(name string, mode tools.Mode) (tools.Tool, error) {
	tool, ok := lookedUp(r, name, mode)
	if !ok {
		return tools.Tool{}, r.unknown(name, mode)
	}
	if why := mode.WhyUnavailable(tool); why != "" {
		return tools.Tool{}, fmt.Errorf("%w: %s is not available: %s", tools.ErrForbidden, tool.Name, why)
	}
	return tool, nil
}

// TryFind is like [Registry.Find], but returns false instead of an error.
func TryFind(r *Registry, name string, mode tools.Mode) (tools.Tool, bool) {
	tool, ok := lookedUp(r, name, mode)
	return tool, ok && mode.WhyUnavailable(tool) == ""
}

// lookedUp is like [Registry.Lookup], but applies the mode's restrictions to calls of other agents'
// tools.
func lookedUp(r *Registry, name string, mode tools.Mode) (tools.Tool, bool) {
	i, ok := r.byName[name]
	if !ok {
		r = openTool(r, name)
		i, ok = r.byName[name]
	}
	if ok {
		return r.tools[i], true
	}
	return r.findForeign(name, mode.WhyUnavailable)
}

// nearest is the maximum number of similar names that an error suggests.
const nearest = 5

// unknown creates an error for a nonexistent tool. The error suggests similarly named tools, and
// tools that match the words of the name.
func (r *Registry) unknown(name string, mode tools.Mode) error {
	name = params.Clip(name, 80)
	close := near.Similar(name, toolNames(r.ToolsFor(mode)), nearest)
	for _, hit := range r.Search(strings.ReplaceAll(params.Snake(name), "_", " "), mode, nearest) {
		if len(close) < nearest && !slices.Contains(close, hit.Tool.Name) {
			close = append(close, hit.Tool.Name)
		}
	}
	err := fmt.Errorf("there is no tool called %s", params.Excerpt(name))
	if len(close) == 0 {
		return advice.Advise(err, "%s", tools.FindOthers)
	}
	return advice.Advise(err, "Close names: %s", strings.Join(close, ", "))
}

func toolNames(list []tools.Tool) []string {
	return lists.Map(list, func(tool tools.Tool) string { return tool.Name })
}
