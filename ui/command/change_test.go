package command_test

import (
	"strings"
	"testing"

	"marvin/providers/modeltest"
	"marvin/ui/command"
)

func TestAChangeIsOpenedWhereItBegins(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	for diff, want := range map[string]string{
		"--- a/x/main.go\n+++ b/x/main.go\n@@ -3,4 +7,5 @@ func main()\n a\n b\n+c\n d\n":             "x/main.go:9",
		"--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n":                                 "new.txt:1",
		"--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n--- a/b\n+++ b/b\n@@ -5 +5 @@\n-x\n+y\n": "b:5",
		"--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n":                                        "",
		"no diff":              "",
		"+++ b/x\n@@ -1 +x @@": "x:1",
	} {
		edited = ""
		if command.OpenChange(d.engine, diff); edited != want {
			t.Errorf("%q is opened at %q, not %q", diff, edited, want)
		}
	}
}

func TestEditedProposalGoesToModel(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("I see."), modeltest.Text("Good."))
	d := sit(t, server)
	editorChanged = "--- a/main.go\n+++ b/main.go\n@@ -9 +9 @@\n-c\n+sea\n"
	defer func() { editorChanged = "" }()
	command.OpenChange(d.engine, "--- a/main.go\n+++ b/main.go\n@@ -9 +9 @@\n-b\n+c\n")
	if said := strings.Join(d.said, "\n"); !strings.Contains(said, "tells the model about your changes to main.go") {
		t.Errorf("the person is told %q", said)
	}
	for range 2 {
		d.take("go on")
	}
	requests := server.Requests()
	told := func(request modeltest.Request) int {
		text := ""
		for _, message := range request.Messages {
			text += message.Text
		}
		return strings.Count(text, "the user ran:\n\nan editor, and changed main.go:\n"+editorChanged)
	}
	if told(requests[0]) != 1 || told(requests[1]) != 1 { // the report stays at its place
		t.Errorf("the model got %+v and then %+v", requests[0].Messages, requests[1].Messages)
	}
}
