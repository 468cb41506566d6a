package toolbox

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"marvin/tools"
	"marvin/tools/internal/advice"
	"marvin/tools/internal/near"
	"marvin/tools/internal/params"
)

// Registry holds the tools in the order they were added. It is filled by
// cmd/marvin/internal/extensions/catalog.go, or by a [Shelf], and never changes afterwards, so it needs no
// lock: who holds one sees the same tools for as long.
type Registry struct {
	tools   []tools.Tool
	byName  map[string]int
	section string
	own     int          // number of the program's own tools; those of sources follow. 0 means all
	sources []string     // sources of the following tools
	undoing []tools.Tool // internal tools that undo calls
	shelf   *Shelf       // nil if it is on none

	later []Summary        // sources known only by a summary
	rest  func() *Registry // the registry with their tools; nil if there are none

	indexing sync.Once // the index is made by the first search
	index    *index

	offers sync.Map // of offerKey to a function that makes an offer once
}

// Section begins a section of the documentation for the tools added next.
func (r *Registry) Section(title string) { r.section = title }

// Add appends tools. Two tools of one name are a mistake of the program, found by
// the first test.
func (r *Registry) Add(tools ...tools.Tool) {
	if r.byName == nil {
		r.byName = map[string]int{}
	}
	r.offers.Clear()
	for _, tool := range tools {
		if _, taken := r.byName[tool.Name]; taken {
			panic("tools: two tools are called " + tool.Name)
		}
		r.byName[tool.Name], tool.Section = len(r.tools), r.section
		r.tools = append(r.tools, tool)
	}
}

// AddUndoing adds tools that no model sees: only /undo calls them.
func (r *Registry) AddUndoing(tools ...tools.Tool) { r.undoing = append(r.undoing, tools...) }

// Undoing is the same registry with the tools that only take calls back.
func (r *Registry) Undoing() *Registry {
	r = r.whole()
	whole := &Registry{tools: slices.Clone(r.tools), byName: maps.Clone(r.byName), shelf: r.shelf}
	whole.Add(r.undoing...)
	return whole
}

// All returns every tool in order. The slice must not be changed.
func (r *Registry) All() []tools.Tool { return r.whole().tools }

// Own are the tools of the program, without those of sources. The slice must not be changed.
func (r *Registry) Own() []tools.Tool {
	if r.sources == nil {
		return r.tools
	}
	return r.tools[:r.own:r.own]
}

// Sources are the names of the sources after the program's own tools.
func (r *Registry) Sources() []string { return r.sources }

// Lookup finds a tool by its name, or by one that it has with other agents. The tool then
// has its own name, and takes arguments as they are there.
func (r *Registry) Lookup(name string) (tools.Tool, bool) {
	if i, ok := r.byName[name]; ok {
		return r.tools[i], true
	}
	r = opened(r, name)
	if i, ok := r.byName[name]; ok {
		return r.tools[i], true
	}
	return r.foreign(name, func(tools.Tool) string { return "" })
}

// For returns the tools of a mode in order.
func (r *Registry) For(mode tools.Mode) []tools.Tool {
	return r.whole().present(mode)
}

// Find returns the tool for a call in a mode. The error is for the model: it
// names close tools, or says why the mode has no such tool.
func (r *Registry) Find(name string, mode tools.Mode) (tools.Tool, error) {
	tool, ok := lookedUp(r, name, mode)
	if !ok {
		return tools.Tool{}, r.unknown(name, mode)
	}
	if why := mode.Refuses(tool); why != "" {
		return tools.Tool{}, fmt.Errorf("%w: %s is not available: %s", tools.ErrForbidden, tool.Name, why)
	}
	return tool, nil
}

// Has is [Registry.Find] for who only wants to know whether there is such a tool.
func Has(r *Registry, name string, mode tools.Mode) (tools.Tool, bool) {
	tool, ok := lookedUp(r, name, mode)
	return tool, ok && mode.Refuses(tool) == ""
}

// lookedUp is the tool of a name, also of one that it has with other agents.
func lookedUp(r *Registry, name string, mode tools.Mode) (tools.Tool, bool) {
	i, ok := r.byName[name]
	if !ok {
		r = opened(r, name)
		i, ok = r.byName[name]
	}
	if ok {
		return r.tools[i], true
	}
	return r.foreign(name, mode.Refuses)
}

// nearest is how many similar names an unknown name gets.
const nearest = 5

// unknown lists the tools with a similar name or meaning.
func (r *Registry) unknown(name string, mode tools.Mode) error {
	name = params.Clip(name, 80)
	close := near.Names(name, toolNames(r.For(mode)), nearest)
	for _, hit := range r.Search(strings.ReplaceAll(params.Snake(name), "_", " "), mode, nearest) {
		if len(close) < nearest && !slices.Contains(close, hit.Tool.Name) {
			close = append(close, hit.Tool.Name)
		}
	}
	err := fmt.Errorf("there is no tool called %s", params.Excerpt(name))
	if len(close) == 0 {
		return advice.Advise(err, "There is no tool with that name. find_tools finds a tool by its purpose.")
	}
	return advice.Advise(err, "Close names: %s", strings.Join(close, ", "))
}

func toolNames(list []tools.Tool) []string {
	names := make([]string, len(list))
	for i, tool := range list {
		names[i] = tool.Name
	}
	return names
}
