package main

import (
	"context"
	"time"

	"marvin/tools/alarms"
)

type ringCommand struct {
	Args struct {
		Label string `positional-arg-name:"LABEL" required:"yes"`
	} `positional-args:"yes"`
}

// ringPatience is enough for the wait for the second and a slow network.
const ringPatience = 5 * time.Minute

// Run is what cron starts for an alarm. Cron sends its standard error to the user.
func (c ringCommand) Run(ctx context.Context, world World, _ options) error {
	ctx, stop := context.WithTimeout(ctx, ringPatience)
	defer stop()
	home := openHome(world)
	settings, err := world.settings(home)
	if err != nil {
		return err
	}
	client, err := world.client(settings)
	if err != nil {
		return err
	}
	return alarms.New(home, client, program()).Ring(ctx, world.Environ, c.Args.Label)
}
