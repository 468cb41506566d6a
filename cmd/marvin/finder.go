package main

import (
	"marvin/providers/offline"
	"marvin/tools"
)

// finder shows the registry to the offline provider, which knows no tools.
type finder struct {
	registry *tools.Registry
	mode     tools.Mode
}

func (f finder) Find(request string, n int) []offline.Tool {
	var found []offline.Tool
	for _, hit := range f.registry.Search(request, f.mode, n) {
		if tool, ok := f.Lookup(hit.Tool.Name); ok {
			found = append(found, tool)
		}
	}
	return found
}

func (f finder) Lookup(name string) (offline.Tool, bool) {
	tool, err := f.registry.Find(name, f.mode)
	if err != nil {
		return offline.Tool{}, false
	}
	schema, err := tool.Schema()
	if err != nil {
		return offline.Tool{}, false
	}
	return offline.Tool{Name: tool.Name, Doc: tool.Doc, Schema: schema, Examples: tool.Examples, Writes: tool.Exacting()}, true
}
