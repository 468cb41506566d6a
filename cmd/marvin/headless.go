package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"marvin/actors"
	"marvin/messages"
	"marvin/ui/headless"
	"marvin/ui/termsafe"
)

// answer runs one prompt for a program that reads stdout. The outcome of the turn
// decides the exit code; the cost line is the last of stderr, on success and error.
func answer(ctx context.Context, world World, opts options) error {
	prompt, err := readPrompt(opts, world.Stdin)
	if err != nil {
		return err
	}
	return accounted{runPrompt(ctx, world, opts, prompt)}
}

func runPrompt(ctx context.Context, world World, opts options, prompt string) headless.Result {
	failed := func(err error) headless.Result {
		return headless.Result{Outcome: messages.Failed, Err: err.Error()}
	}
	kept, err := kept(world, &opts, false)
	if err != nil {
		return failed(err)
	}
	parts, err := wire(world, opts)
	if err != nil {
		return failed(err)
	}
	if parts.selection.Why != "" {
		fmt.Fprintln(world.Stderr, parts.choiceLine())
	}
	defer parts.close()
	parts.warnOfAll(false)
	system := parts.start()
	client, err := system.Open(parts.conversation(actors.Policy{Coding: true}, kept))
	if err != nil {
		return failed(err)
	}
	runner := headless.Runner{Kept: kept.ID, Client: client, Form: headless.Form(opts.Output), Stdout: world.Stdout, Stderr: world.Stderr}
	result := runner.Run(ctx, prompt)
	if err := system.Stop(); err != nil && result.Err == "" {
		result.Err = err.Error()
	}
	parts.sayLeft()
	if result.Stdout != nil && result.Err == "" {
		result.Err = "write the answer: " + result.Stdout.Error()
	}
	if result.Outcome == messages.Cancelled && result.Err == "" {
		result.Err = "cancelled"
		if cause := context.Cause(ctx); cause != nil {
			result.Err = "stopped by a signal"
		}
	}
	if opts.Ntfy != "" {
		if err := parts.announce(opts.Ntfy, result); err != nil {
			fmt.Fprintln(world.Stderr, err)
		}
	}
	return result
}

// costLine is the line that integrators parse. Its fields and their order are a
// contract; empty maps are {}, never null.
func costLine(usage messages.Usage) []byte {
	cost := struct {
		Cost       float64            `json:"session_cost"`
		Turns      int                `json:"llm_turns"`
		ModelTurns map[string]int     `json:"model_turns"`
		ModelCost  map[string]float64 `json:"model_cost"`
	}{usage.Cost, usage.Turns, usage.ModelTurns, usage.ModelCost}
	if cost.ModelTurns == nil {
		cost.ModelTurns = map[string]int{}
	}
	if cost.ModelCost == nil {
		cost.ModelCost = map[string]float64{}
	}
	var line bytes.Buffer
	line.WriteString("MARVIN_COST:")
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(cost); err != nil {
		return []byte(`MARVIN_COST:{"session_cost":0,"llm_turns":0,"model_turns":{},"model_cost":{}}` + "\n") // a sum that overflowed
	}
	return termsafe.JSON(line.Bytes())
}
