package files

import (
	"context"
	"fmt"
	"io"

	"marvin/tools"
	"marvin/tools/internal/address"
	"marvin/tools/internal/box"
	"marvin/tools/internal/text"
)

// readAddress shows the content at an address as if it were a file.
func readAddress(ctx context.Context, env tools.Env, in readArgs, at address.Address) (tools.Output, error) {
	from, err := at.Open(ctx, env)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = from.Close() }()
	if in.Start == nil && in.End == nil && at.First > 0 {
		in.Start = &at.First
		if at.Last > 0 {
			in.End = &at.Last
		}
	}
	in.Path = from.Name
	source, err := readStream(from)
	if err != nil {
		return tools.Output{}, fmt.Errorf("read %s: %w", from.Name, err)
	}
	var shown tools.Output
	switch kind := text.Foreign(source.head); {
	case kind != "":
		shown, err = source.nonText(ctx, env, in, kind)
	case in.Start != nil || in.End != nil:
		shown, err = source.lines(ctx, env, in)
	default:
		shown, err = source.readWhole(ctx, env, in.Path)
	}
	shown.Strangers = from.Foreign
	return shown, err
}

// readStream reads the beginning of a stream to detect its type. A short stream is read whole.
func readStream(from address.Source) (source, error) {
	head, err := io.ReadAll(io.LimitReader(from, box.MaxEdit+1))
	if err != nil {
		return source{}, err
	}
	if int64(len(head)) <= box.MaxEdit {
		return source{head: head, total: text.CountLines(head), size: int64(len(head)), addressed: true}, nil
	}
	return source{head: head, total: -1, size: max(from.Size, int64(len(head))), rest: from, addressed: true}, nil
}
