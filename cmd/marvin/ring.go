package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"marvin/persistence"
	"marvin/tools/alarms"
)

type ringCommand struct {
	Args struct {
		Label string `positional-arg-name:"LABEL" required:"yes"`
	} `positional-args:"yes"`
}

// ringPatience is enough for the wait for the second and a slow network.
const ringPatience = 5 * time.Minute

// ring is what cron starts at the time of an alarm. What it writes to standard error
// cron sends to the user.
func ring(ctx context.Context, world World, label string) int {
	ctx, stop := context.WithTimeout(ctx, ringPatience)
	defer stop()
	fail := func(err error) int {
		fmt.Fprintln(world.Stderr, "Error:", err)
		return 1
	}
	home := persistence.Open(world.Home, world.Now)
	settings, err := world.settings(home)
	if err != nil {
		return fail(err)
	}
	client, err := world.client(settings)
	if err != nil {
		return fail(err)
	}
	if err := alarms.New(home, client, program()).Ring(ctx, world.Environ, label); err != nil {
		return fail(err)
	}
	return 0
}

// program is Marvin's own program file, which cron starts; "" if that is not known.
func program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return path
}
