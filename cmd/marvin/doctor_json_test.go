package main

import (
	"encoding/json"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/cli/doctor"
	"marvin/providers/modeltest"
)

// A program that asks for JSON gets JSON.
func TestJSONOfCommandsThatWriteText(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{"doctor": `"what":"config.yaml"`, "tools": `"name": "read_file"`} {
		command := process(t, nil)
		command.Args = []string{"marvin", line, "--provider", "openai-compat", "--output", "json"}
		out, err := command.CombinedOutput()
		if !strings.Contains(string(out), want) || !json.Valid(out) || err != nil {
			t.Errorf("%s: %v\n%.300s", line, err, out)
		}
	}
	command := process(t, nil)
	command.Args = []string{"marvin", "doctor", "--output", "jsonl"}
	if out, err := command.CombinedOutput(); err == nil || !strings.Contains(string(out), "or JSON with --output json") {
		t.Errorf("lines of JSON: %v\n%.300s", err, out)
	}
}

func TestDoctorReportsProviderToPrograms(t *testing.T) {
	t.Parallel()
	told := func(provider string) (all doctor.Report, err error) {
		command := process(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("") })
		command.Args = []string{"marvin", "doctor", "--provider", provider, "--model", "m1", "--output", "json"}
		out, err := command.Output()
		if wrong := json.Unmarshal(out, &all); wrong != nil {
			t.Fatalf("%v: %q", wrong, out)
		}
		return all, err
	}
	all, err := told("openai-compat")
	if err != nil || !all.Answers || all.Provider != "openai-compat" || all.Model != "m1" || all.Why == "" || all.Wrong != "" {
		t.Errorf("%v: %+v", err, all)
	}
	for _, section := range []string{"models", "files", "programs", "environment"} {
		if len(all.Findings[section]) == 0 {
			t.Errorf("nothing of %s: %+v", section, all.Findings)
		}
	}
	all, err = told("groq")
	if err == nil || all.Answers || !strings.Contains(all.Wrong, "GROQ_API_KEY") {
		t.Errorf("without a key: %v, %+v", err, all)
	}
	for _, one := range all.Findings["models"] {
		if one.What == "groq" && (one.Good || !strings.Contains(one.Mend, "marvin login groq")) {
			t.Errorf("it is not said what mends it: %+v", one)
		}
	}
}
