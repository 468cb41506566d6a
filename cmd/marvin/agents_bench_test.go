package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// latency is the time that the model of these benchmarks takes before it answers.
const latency = 50 * time.Millisecond

// delegating is a model that launches as many sub-agents as the prompt says. Each calls a tool and
// then answers.
func delegating(request modeltest.Request) modeltest.Step {
	var prompt string
	for _, message := range slices.Backward(request.Messages) {
		if message.Role == messages.User {
			prompt = message.Text
			break
		}
	}
	time.Sleep(latency)
	number, waits := strings.CutSuffix(prompt, " that wait")
	n, err := strconv.Atoi(number)
	done := request.Last().Role == messages.Tool
	switch {
	case done:
		return modeltest.Text("done")
	case err == nil:
		tasks := make([]map[string]string, n)
		for i := range tasks {
			tasks[i] = map[string]string{"prompt": fmt.Sprintf("look at file %c", 'a'+i%26)}
			if waits {
				tasks[i]["prompt"] = "wait"
			}
		}
		return modeltest.Calls(modeltest.Call{Name: "launch_agent", Args: map[string]any{"tasks": tasks, "parallel": n}})
	}
	if prompt == "wait" {
		return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]any{"command": "sleep 3"}})
	}
	return modeltest.Calls(modeltest.Call{Name: "tree", Args: map[string]any{}})
}

// Sub-agents with tools run all at once against a model with 50 ms latency. 16 of them must take at
// most twice the time of one. 1,000 must stay below 250 MB, and the memory for each must not grow
// with their number.
func BenchmarkSubAgents(b *testing.B) {
	for _, n := range []int{1, 8, 16, 64, 512, 1000, 4096} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			c := compete(b, delegating)
			for b.Loop() {
				var all []figures
				for range min(5, 1+256/n) {
					all = append(all, c.run(b, c.marvin, strconv.Itoa(n)))
				}
				one := medians(all)
				report(b, map[string]float64{
					"wall-ms": ms(one.wall), "cpu-ms": ms(one.cpu), "cpu-ms/agent": ms(one.cpu) / float64(n), "peak-MiB": c.peakOf(b, strconv.Itoa(n)),
				})
			}
		})
	}
}

// BenchmarkSubAgentsWithCommands lets 16 sub-agents run "sleep 3" at once, which must take at most
// 4 s.
func BenchmarkSubAgentsWithCommands(b *testing.B) {
	c := compete(b, delegating)
	for b.Loop() {
		report(b, map[string]float64{"wall-ms": ms(c.run(b, c.marvin, "16 that wait").wall)})
	}
}
