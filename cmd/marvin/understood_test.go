package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/app"
	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/providers"
	"marvin/providers/offline"
	"marvin/tools"
	"marvin/tools/toolbox"
)

func TestOfflineRequestsAreUnderstood(t *testing.T) {
	all, mode, dir := registry(t), tools.Mode{Coding: true, Person: true}, t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	model, question := offline.New(app.Finder{Registry: toolbox.NewShelf(all), Mode: mode, Dir: dir}), providers.Question{}
	for _, tool := range all.Offer(mode, 0) {
		schema, err := tool.Schema()
		if err != nil {
			t.Fatal(err)
		}
		question.Tools = append(question.Tools, providers.ToolSpec{Name: tool.Name, Doc: tool.Doc, Schema: schema})
	}
	var got []string
	said := map[string]bool{}
	for _, text := range judgedRequests(t) {
		question.Messages = []messages.Message{{Role: messages.User, Text: text}}
		reply, err := model.Respond(t.Context(), question, func(providers.Part) {})
		if err != nil {
			t.Fatal(err)
		}
		line, key := text, reply.Text
		for _, call := range reply.Calls {
			line, key = fmt.Sprintf("%s => %s %s", line, call.Name, call.Args), call.Name
		}
		if !said[key] { // each text about a tool appears once
			said[key] = true
			line += " => " + strings.ReplaceAll(reply.Text, "\n", "\\n")
		} else if len(reply.Calls) == 0 {
			first, _, _ := strings.Cut(reply.Text, "\n")
			line += " => " + first
		}
		got = append(got, line)
	}
	goldentest.Assert(t, "understood/understood.golden", strings.Join(got, "\n")+"\n", os.Getenv("UPDATE_GOLDEN") != "")
}

// judgedRequests returns the requests of testdata/understood/requests.txt, and every third request
// of the judged files, because all of them would take four seconds.
func judgedRequests(t *testing.T) (list []string) {
	t.Helper()
	read := func(path string) (all []string) {
		content, err := os.ReadFile(filepath.Join("testdata", path))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(content)) {
			if text, _, _ := strings.Cut(strings.TrimSpace(line), " => "); text != "" && text[0] != '#' {
				all = append(all, text)
			}
		}
		return all
	}
	for _, name := range []string{"own", "requests", "train", "fresh", "fresh2", "fresh3", "fresh4", "fresh5", "fresh6", "strangers"} {
		for i, text := range read(filepath.Join("eval", name+".txt")) {
			if i%3 == 0 {
				list = append(list, text)
			}
		}
	}
	return append(list, read("understood/requests.txt")...)
}
