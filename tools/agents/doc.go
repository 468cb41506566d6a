// Package agents provides the tool that gives tasks to sub-agents.
//
// The tool prepares each task's prompt, model, working directory and git worktree. The calling
// conversation runs the tasks through tools.Env.Agents.
package agents
