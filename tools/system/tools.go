package system

import (
	"context"
	"time"

	"marvin/persistence"
	"marvin/tools"
)

// Service holds what the tools of this category read.
type Service struct {
	home *persistence.Home
	// batteries is where the kernel lists them.
	batteries string
}

// New makes the service; home has the lifetime sums.
func New(home *persistence.Home) Service {
	return Service{home: home, batteries: "/sys/class/power_supply"}
}

// Tools lists the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.infoTool(), s.usageTool(), exitTool()}
}

func (s Service) infoTool() tools.Tool {
	return tools.New(tools.Def[struct{}]{
		Name:     "system_info",
		Doc:      "Show this computer: operating system, processor and load, memory, disk, uptime, battery and graphics card.",
		Examples: []string{"system info", "how much memory is free", "how full is the disk", "battery level"},
		Timeout:  10 * time.Second,
		Run:      s.info,
	})
}

type usageArgs struct {
	Lifetime bool `json:"include_lifetime" doc:"Also the sums of all sessions so far." default:"false"`
}

func (s Service) usageTool() tools.Tool {
	return tools.New(tools.Def[usageArgs]{
		Name:     "get_usage",
		Doc:      "Show what this session cost so far: US dollars, model turns, tokens and tool calls; all sessions on request.",
		Examples: []string{"how much did I spend", "what did this session cost", "show my usage"},
		Run:      s.usage,
	})
}

type exitArgs struct {
	Message string `json:"message" doc:"The last words." default:"Goodbye!"`
}

func exitTool() tools.Tool {
	return tools.New(tools.Def[exitArgs]{
		Name:     "exit_app",
		Effect:   tools.Writes,
		Doc:      "Leave Marvin once the answer is out. Only when the user asks to quit or says goodbye.",
		Examples: []string{"exit the app", "quit marvin", "goodbye"},
		Needs:    tools.Needs{TopOnly: true}, Steers: true,
		Run: func(_ context.Context, env tools.Env, in exitArgs) (tools.Output, error) {
			if env.Exit != nil {
				env.Exit()
			}
			return tools.Output{Text: in.Message}, nil
		},
	})
}
