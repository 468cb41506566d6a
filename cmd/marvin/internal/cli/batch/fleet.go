package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"

	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/remote"
	"marvin/messages"
	"marvin/ui/jsonl"
)

// FleetCommand holds the subcommands of "marvin fleet".
type FleetCommand struct {
	Status  fleetStatus  `command:"status" description:"list the workers and the state of each batch"`
	Results fleetResults `command:"results" description:"print the results of a batch so far, one JSON object per line"`
	Cancel  fleetCancel  `command:"cancel" description:"remove a batch from the queue, and stop its running prompts"`
	Drain   fleetDrain   `command:"drain" description:"make workers finish their prompts and exit"`
}

func (FleetCommand) Run(context.Context, cli.World, cli.Options) error {
	return errors.New("\"marvin fleet\" must be followed by status, results, cancel or drain")
}

type fleetStatus struct {
	remote.FleetFlags
	Output string `long:"output" value-name:"FORM" choice:"text" choice:"json" default:"text" description:"print text for people, or one JSON object"`
}

func (wish fleetStatus) Run(ctx context.Context, world cli.World, _ cli.Options) error {
	joined, err := wish.Open(ctx, world, "fleet")
	if err != nil {
		return err
	}
	defer joined.Close()
	status, err := joined.Status(ctx)
	if err != nil {
		return err
	}
	if wish.Output == "json" {
		return json.NewEncoder(world.Stdout).Encode(status)
	}
	table := tabwriter.NewWriter(world.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "WORKER\tHOST\tRUNNING\tDONE\tMODEL\tLABELS AND DIRECTORIES")
	for _, one := range status.Workers {
		fmt.Fprintf(table, "%s\t%s\t%d of %d\t%d\t%s\t%s\n", cli.Line(one.Worker), cli.Line(one.Host), one.Running, one.Jobs, one.Done, cli.Line(one.Model), cli.Line(fmt.Sprint(one.Labels, " ", one.Dirs)))
	}
	fmt.Fprintln(table, "\nBATCH\tFILE\tHOST\tSTATE\tWAITING\tRESULTS\tSPENT")
	for _, one := range status.Batches {
		spent := "-"
		if one.MaxCost > 0 {
			spent = fmt.Sprintf("$%.4f of $%g", one.Spent, one.MaxCost)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", cli.Line(one.ID), cli.Line(one.Name), cli.Line(one.Host), cli.Line(string(one.State)), one.Waiting, one.Results, spent)
	}
	return table.Flush()
}

// namedBatch holds the arguments that "results" and "cancel" share.
type namedBatch struct {
	remote.FleetFlags
	Args struct {
		Batch string `positional-arg-name:"BATCH" required:"yes" description:"a batch that \"marvin fleet status\" lists"`
	} `positional-args:"yes"`
}

type fleetResults struct{ namedBatch }

func (wish fleetResults) Run(ctx context.Context, world cli.World, _ cli.Options) error {
	joined, err := wish.Open(ctx, world, "fleet")
	if err != nil {
		return err
	}
	defer joined.Close()
	out := jsonl.NewWriter(world.Stdout)
	return joined.Results(ctx, wish.Args.Batch, func(result batch.Result) error { return out.Write(result.ForOutput()) })
}

type fleetCancel struct{ namedBatch }

func (wish fleetCancel) Run(ctx context.Context, world cli.World, _ cli.Options) error {
	joined, err := wish.Open(ctx, world, "fleet")
	if err != nil {
		return err
	}
	defer joined.Close()
	return joined.Cancel(ctx, wish.Args.Batch)
}

type fleetDrain struct {
	remote.FleetFlags
	All  bool `long:"all" description:"every worker"`
	Args struct {
		Worker string `positional-arg-name:"WORKER"`
	} `positional-args:"yes"`
}

func (wish fleetDrain) Run(ctx context.Context, world cli.World, _ cli.Options) error {
	if (wish.Args.Worker == "") != wish.All {
		return errors.New("marvin fleet drain: name a worker, or give --all")
	}
	joined, err := wish.Open(ctx, world, "fleet")
	if err != nil {
		return err
	}
	defer joined.Close()
	told, err := joined.Drain(ctx, wish.Args.Worker)
	if err == nil && told == 0 {
		return errors.New("there is no such worker in the fleet; to list the workers, run marvin fleet status")
	}
	if err == nil {
		fmt.Fprintf(world.Stdout, "asked to exit: %s\n", messages.Counted(told, "worker"))
	}
	return err
}
