// Package agents hands work to sub-agents.
//
// The tool decides who does what where: prompts, models, working directories,
// worktrees of git. Running them is the business of the conversation that called
// (tools.Env.Agents); here nothing waits for a model.
package agents
