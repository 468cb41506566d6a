package app

import (
	"testing"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/providers/retry"
)

func TestTwoAccountsHaveTwoGates(t *testing.T) {
	clients := &models{parts: &App{World: cli.World{Now: time.Now}}, gates: map[string]*retry.Gate{}}
	if work := clients.gate("work"); work == clients.gate("home") || work != clients.gate("work") {
		t.Error("the gate is not the account's")
	}
}
