package main

import (
	"encoding/json"
	"net"
	"regexp"
	"strings"
	"testing"
)

// A word that the documentation left out of an example leaves two behind that do not
// stand beside each other.
func TestFindingT18ExamplesAreWhole(t *testing.T) {
	broken := regexp.MustCompile(`\b(the|a|an) (on|with|in|from|of|for|about|to|and|[A-Z]\w+$)\b|  |[{}|]`)
	names := regexp.MustCompile(`\bthe (Cube|Go site)\b`)
	for _, tool := range registry(t).All() {
		for _, example := range tool.Examples {
			if said := names.ReplaceAllString(spoken(example), "it"); broken.MatchString(said) && !strings.Contains(said, "Overpass") {
				t.Errorf("%s: nobody would type %q", tool.Name, said)
			}
		}
	}
}

func TestFindingT20BlenderHasAStatus(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		defer connection.Close()
		var asked any
		_ = json.NewDecoder(connection).Decode(&asked)
		_, _ = connection.Write([]byte(`{"status": "success", "result": {"name": "Scene", "object_count": 3}}`))
	}()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	output, _ := shellLineIn(t, []string{"BLENDER_MCP_PORT=" + port}, "!blender\n", "--plain")
	if !strings.Contains(output, `Blender answers at 127.0.0.1:`+port+`: scene "Scene" with 3 objects.`) {
		t.Error(output)
	}
	output, _ = shellLineIn(t, []string{"BLENDER_MCP_PORT=1"}, "!blender\n", "--plain")
	if !strings.Contains(output, "cannot reach Blender at 127.0.0.1:1") || !strings.Contains(output, "Start Blender and press Connect") {
		t.Error(output)
	}
}

func TestFindingU4WhatIsNotThereIsNotClaimed(t *testing.T) {
	output, asked := shellLine(t, "!v 1\n!voice\n", "--plain")
	if strings.Contains(output, "Speak now") || strings.Count(output, "voice input is not available") != 2 || asked > 0 {
		t.Errorf("without a key: %s", output)
	}
	output, _ = shellLine(t, "", "doctor")
	if !regexp.MustCompile(`config\.yaml +none, so the defaults hold`).MatchString(output) {
		t.Errorf("doctor: %s", output)
	}
}
