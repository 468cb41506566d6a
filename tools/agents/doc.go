// Package agents gives tasks to sub-agents.
//
// The tool prepares the tasks: prompts, models, working directories, git worktrees. The calling
// conversation runs them (tools.Env.Agents); this package never waits for a model.
package agents
