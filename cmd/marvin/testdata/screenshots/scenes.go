package main

import (
	"fmt"
	"strings"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// start is how a conversation about the files here begins.
const start = "marvin --working-dir ."

// script is a model that gives its answers in order.
func script(steps ...modeltest.Step) func(modeltest.Request) modeltest.Step {
	return func(request modeltest.Request) modeltest.Step {
		if request.N >= len(steps) {
			return modeltest.Status(500, `{"error":{"message":"the story is over"}}`)
		}
		return steps[request.N]
	}
}

// garden is the project of the person in the pictures.
var garden = map[string]string{
	"beds.csv": "bed,plant,moisture,limit\n1,tomatoes,21,35\n2,beans,44,30\n3,shiso,18,25\n4,courgettes,52,40\n",
}

const dryBeds = `Two of the four beds are below their limit:

| bed | plant | moisture | limit | |
|---:|---|---:|---:|---|
| 1 | tomatoes 🍅 | 21 % | 35 % | **dry** |
| 2 | beans | 44 % | 30 % | fine |
| 3 | shiso 紫蘇 | 18 % | 25 % | **dry** |
| 4 | courgettes | 52 % | 40 % | fine |

In Python, with nothing but the standard library:

` + "```python" + `
import csv

with open("beds.csv") as file:
    for row in csv.DictReader(file):
        if int(row["moisture"]) < int(row["limit"]):  # in per cent
            print(f"bed {row['bed']}: {row['plant']}")
` + "```\n"

const dryScript = `import csv

with open("beds.csv") as file:
    for row in csv.DictReader(file):
        if int(row["moisture"]) < int(row["limit"]):
            print("water bed", row["bed"])
`

// chat is a question that reads a file, and its answer.
func chat(name string) scene {
	return scene{
		name: name, title: "A conversation: a question, the file that Marvin read, and an answer with a table and code", rows: height,
		files: garden,
		model: script(
			modeltest.Calls(modeltest.Call{Name: "read_file", Args: map[string]any{"path": "beds.csv"}}).WithFaults(modeltest.Tokens(5200, 0, 24)),
			modeltest.Text(strings.SplitAfter(dryBeds, " ")...).WithFaults(modeltest.Tokens(5330, 5120, 210)),
		),
		play: []step{
			types(start), sees("profile default"),
			types("Which beds are too dry? And how do I list them in Python?"), sees("print(f", "2 messages"),
		},
	}
}

// confirm is a change, and the question about a command.
func confirm(name string) scene {
	return scene{
		name: name, title: "A question: why a command is dangerous, the exact command, and the choices yes and no", rows: 24,
		files: map[string]string{"dry.py": dryScript},
		model: script(
			modeltest.Calls(modeltest.Call{Name: "apply_patch", Args: map[string]any{
				"path": "dry.py", "old_str": `int(row["limit"])`, "new_str": `int(row["limit"]) + 5`,
			}}).WithFaults(modeltest.Tokens(5300, 0, 60)),
			modeltest.Text("It warns five per cent earlier now. To have it run every morning I would add a line to your crontab; what is in it stays.").Append(
				modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]any{
					"command": "(crontab -l; echo '0 7 * * * cd ~/garden && python3 dry.py >> dry.log') | crontab -",
				}})).WithFaults(modeltest.Tokens(5500, 5120, 90)),
		),
		play: []step{
			types(start), sees("profile default"),
			types("Let dry.py warn five per cent earlier, and run it every morning at seven"),
			sees("crontab -", "[y]es"), press("C-o"), sees("+ 5:"), mayAnswer,
		},
	}
}

// onLight is the scene in a light terminal.
func (s scene) onLight() scene {
	s.on = light
	return s
}

var scenes = []scene{
	chat("chat"), chat("chat-light").onLight(),
	confirm("confirm"), confirm("confirm-light").onLight(), story(),
	{
		name: "agents", title: "Sub-agents at work, a line for each: what it does, its rounds, tokens and cost", rows: 16,
		files: map[string]string{"tomatoes.md": "a\n", "beans.md": "b\n", "shiso.md": "c\n", "courgettes.md": "d\n", "rain.md": "e\n"},
		model: delegating,
		play: []step{
			types(start), sees("profile default"),
			types("Read all notes of last year, one sub-agent for each file, and tell me what to do differently"),
			sees("✓ 1", "✓ 2", "3 shiso · read_file", "4 courgettes · read_file", "5 rain · read_file", " 3s"),
		},
	},
	{
		name: "plain", title: "The same in lines, for terminals and screen readers that want no full screen",
		files: garden,
		model: script(
			modeltest.Calls(modeltest.Call{Name: "convert_units", Args: map[string]any{"value": 5, "from_unit": "gal", "to_unit": "l"}}).WithFaults(modeltest.Tokens(5200, 0, 30)),
			modeltest.Text("Five gallons are 18.9 litres: ", "two large watering cans.").WithFaults(modeltest.Tokens(5280, 5120, 20)),
		),
		play: []step{
			types(start + " --plain"), sees("You:"),
			types("The beds need five gallons. What is that in litres?"), sees("watering cans."),
			types("!head -3 beds.csv"), sees("2,beans,44,30"),
		},
	},
	batch(),
	newcomer("first-start", "The first start: the choice of colors, with a preview"),
	newcomer("first-key", "The key of a provider, which is not shown", press("Enter"), sees("Which model provider"), press("Enter"), sees("key: paste"),
		press("-l", "AIzaNotARealKeyOfAnyone"), sees("•••• 23 characters")),
	{
		name: "help", title: "The list of commands, with a search line and an example", rows: 24, cols: 80,
		play: []step{types(start), sees("profile default"), types("/help"), sees("What do you want to do?", "type to search")},
	},
	changes(),
}

// newcomer is the first start without a key.
func newcomer(name, title string, more ...step) scene {
	return scene{
		name: name, title: title, rows: 36, cols: 90, fresh: true,
		files: garden,
		play:  append([]step{types("git init -q && clear && marvin"), sees("Which colors?")}, more...),
	}
}

// changes is the page of /diff.
func changes() scene {
	return scene{
		name: "diff", title: "What a conversation changed, file by file", rows: 24,
		files: map[string]string{"dry.py": dryScript},
		model: script(
			modeltest.Calls(modeltest.Call{Name: "apply_patch", Args: map[string]any{
				"path": "dry.py", "old_str": `int(row["limit"])`, "new_str": `int(row["limit"]) + 5`,
			}}).WithFaults(modeltest.Tokens(5300, 0, 60)),
			modeltest.Text("It warns five per cent earlier now.").WithFaults(modeltest.Tokens(5500, 5120, 20)),
		),
		play: []step{
			types(start), sees("profile default"),
			types("Let dry.py warn five per cent earlier"), sees("2 messages", "earlier now."),
			types("/diff"), sees("part 1 of 1"),
		},
	}
}

// delegating launches a sub-agent for each note. Each reads its own; of those, the first two
// have answered.
func delegating(request modeltest.Request) modeltest.Step {
	prompt := ""
	for _, message := range request.Messages {
		if message.Role == messages.User {
			prompt = message.Text
		}
	}
	notes := []string{"tomatoes", "beans", "shiso", "courgettes", "rain"}
	task, isTask := strings.CutPrefix(prompt, "Summarize ")
	switch {
	case !isTask:
		var tasks []map[string]any
		for _, note := range notes {
			tasks = append(tasks, map[string]any{"name": note, "prompt": "Summarize " + note + ".md", "read_only": true})
		}
		return modeltest.Text("Five notes, five readers:").Append(
			modeltest.Calls(modeltest.Call{Name: "launch_agent", Args: map[string]any{"tasks": tasks}})).WithFaults(modeltest.Tokens(5300, 0, 140))
	case request.Last().Role != messages.Tool:
		return modeltest.Calls(modeltest.Call{Name: "read_file", Args: map[string]any{"path": task}}).WithFaults(modeltest.Tokens(3100+10*len(task), 2900, 25))
	case task == "tomatoes.md" || task == "beans.md":
		return modeltest.Text("Water more often.").WithFaults(modeltest.Tokens(3300+10*len(task), 3100, 80))
	}
	return modeltest.Pause(never).Append(modeltest.Text(""))
}

// never is what a model waits for that does not answer while the picture is taken.
var never = make(chan struct{})

// batch is many prompts, of which the last wait for a model that has not answered yet.
func batch() scene {
	const all, answered = 40, 23
	var prompts strings.Builder
	for i := range all {
		fmt.Fprintf(&prompts, `{"id":"%d","prompt":"Translate label %d to Japanese"}`+"\n", i+1, i+1)
	}
	return scene{
		name: "batch", title: "Many prompts in one process, with a line that tells how far it is",
		files: map[string]string{"labels.jsonl": prompts.String()},
		model: func(request modeltest.Request) modeltest.Step {
			if request.N >= answered {
				return modeltest.Pause(never).Append(modeltest.Text(""))
			}
			return modeltest.Text("トマト").WithFaults(modeltest.Tokens(4000, 3840, 6))
		},
		play: []step{
			types("head -2 labels.jsonl"), sees(`"id":"2"`),
			types("marvin batch labels.jsonl --jobs 8 --output answers.jsonl"), sees(fmt.Sprintf("%d/%d, 8 running", answered, all)),
		},
	}
}
