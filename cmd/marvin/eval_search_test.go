package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/tools"
)

func TestHeldOutQueriesFindTheirTools(t *testing.T) {
	for name, least := range map[string]int{"queries.txt": 200, "queries_fresh.txt": 75, "queries_own.txt": 150, "queries4.txt": 90, "queries5.txt": 90, "queries6.txt": 90} {
		t.Run(name, func(t *testing.T) { queriesFindTheirTools(t, name, least) })
	}
}

func queriesFindTheirTools(t *testing.T, name string, least int) {
	content, err := os.ReadFile(filepath.Join("testdata", "eval", name))
	if err != nil {
		t.Fatal(err)
	}
	all := registry(t)
	mode := tools.Mode{Coding: true, Person: true}
	queries, hits, negative, silent := 0, 0, 0, 0
	var failed []string
	for line := range strings.Lines(string(content)) {
		query, right, ok := strings.Cut(strings.TrimRight(line, "\n"), " => ")
		if !ok || line[0] == '#' {
			continue
		}
		accepted := strings.Split(right, "|")
		var found []string
		for _, hit := range all.FindFitting(query, mode, 5) {
			found = append(found, hit.Tool.Name)
		}
		good := slices.ContainsFunc(found, func(name string) bool { return slices.Contains(accepted, name) })
		if slices.Contains(accepted, "nothing") {
			negative++
			if good = good || len(found) == 0; good {
				silent++
			}
		} else {
			queries++
			if good {
				hits++
			}
		}
		if !good {
			failed = append(failed, query+": "+strings.Join(found, " "))
		}
	}
	t.Logf("find_tools: %d queries, hit at five %.3f; %d queries for what no tool does, %d told so", queries, float64(hits)/float64(queries), negative, silent)
	if os.Getenv("EVAL") != "" {
		t.Log("not found:\n" + strings.Join(failed, "\n"))
	}
	if queries < least || negative < least/10 || float64(hits) < 0.97*float64(queries) || float64(silent) < 0.9*float64(negative) {
		t.Errorf("%d of %d queries found, %d of %d told that there is nothing", hits, queries, silent, negative)
	}
}
