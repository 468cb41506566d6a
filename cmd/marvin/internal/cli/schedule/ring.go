package schedule

import (
	"context"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/tools/alarms"
)

type RingCommand struct {
	Args struct {
		Label string `positional-arg-name:"LABEL" required:"yes"`
	} `positional-args:"yes"`
}

// ringPatience is the time limit of [RingCommand.Run]. It includes the wait for the exact second of
// the alarm, and leaves time for a slow network.
const ringPatience = 5 * time.Minute

// Run rings an alarm. Cron starts the command and mails its standard error to the user.
func (c RingCommand) Run(ctx context.Context, world cli.World, _ cli.Options) error {
	ctx, stop := context.WithTimeout(ctx, ringPatience)
	defer stop()
	home := cli.OpenHome(world)
	settings, err := world.Settings(home)
	if err != nil {
		return err
	}
	client, err := world.Client(settings)
	if err != nil {
		return err
	}
	return alarms.New(home, client, extensions.Program()).Ring(ctx, world.Environ, c.Args.Label)
}
