package custom

import "strings"

// Samples maps a language to a function that generates a working example tool. The function returns
// the tool's files and the name of the program file.
var Samples = map[string]func(name string) (files map[string]string, program string){
	"sh": func(name string) (map[string]string, string) { return sample(name, "[./run]", "run", sh), "run" },
	"python": func(name string) (map[string]string, string) {
		return sample(name, "[./run.py]", "run.py", python), "run.py"
	},
	"go": func(name string) (map[string]string, string) {
		files := sample(name, "[go, run, ./main.go]", "main.go", golang)
		files["tool.yaml"] = strings.Replace(files["tool.yaml"], "timeout: 30s", "timeout: 3m # the first run compiles everything", 1)
		return files, "main.go"
	},
}

func sample(name, command, file, program string) map[string]string {
	return map[string]string{"tool.yaml": "name: " + name + "\n" + sampleManifest + "command: " + command + "\n", file: program}
}

const sampleManifest = `# For the model: what it does, when to use it, what it returns.
description: Counts the words of a text. Returns a number.
# A JSON schema of the arguments. They come as one JSON object on standard input.
parameters:
  type: object
  properties:
    text: {type: string, description: the text whose words are counted}
  required: [text]
# Requests in a person's words, with {value|parameter}: how it is found.
examples:
  - count the words of {hello world|text}
# read, write (files, can be undone), outside (others see it) or irreversible.
effect: read
timeout: 30s
# ./x lies in this folder; other programs are found on PATH.
`

const sh = `#!/bin/sh
# Arguments are JSON on standard input; the result is what is printed. A line
# {"progress":"..."} on standard error tells how far it is; an exit code other than 0
# is a failure, with standard error as the reason.
text=$(sed 's/.*"text":"\([^"]*\)".*/\1/')
echo '{"progress":"counting"}' >&2
printf '%s' "$text" | wc -w | tr -d ' '
`

const python = `#!/usr/bin/env python3
# Arguments are JSON on standard input; the result is what is printed. A line
# {"progress":"..."} on standard error tells how far it is; an exit code other than 0
# is a failure, with standard error as the reason.
import json
import sys

arguments = json.load(sys.stdin)
print(json.dumps({"progress": "counting"}), file=sys.stderr, flush=True)
print(len(arguments["text"].split()))
`

const golang = `// Arguments are JSON on standard input; the result is what is printed. A line
// {"progress":"..."} on standard error tells how far it is; an exit code other than 0
// is a failure, with standard error as the reason.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
)

func main() {
	log.SetFlags(0)
	var arguments struct {
		Text string ` + "`json:\"text\"`" + `
	}
	if err := json.NewDecoder(os.Stdin).Decode(&arguments); err != nil {
		log.Fatal(err)
	}
	fmt.Fprintln(os.Stderr, ` + "`{\"progress\":\"counting\"}`" + `)
	fmt.Println(len(strings.Fields(arguments.Text)))
}
`
