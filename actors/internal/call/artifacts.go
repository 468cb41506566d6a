package call

import (
	"fmt"
	"slices"
	"strings"

	"marvin/persistence/artifacts"
	"marvin/tools"
	"marvin/tools/undo"
)

// excess is what a result has beyond its limits.
type excess struct {
	artifacts *artifacts.Store
	about     artifacts.Artifact // what is known of it before the call ran
}

// keep limits a result. It stores what the limit cuts off, and each picture, as an artifact.
func (e excess) keep(output tools.Output) tools.Output {
	about := e.about
	if about.Foreign = about.Foreign || output.Strangers; about.Foreign {
		output.Text = tools.Unhidden(output.Text)
	}
	output.Text = tools.ResultLimits.KeepWhole(e.artifacts, about, output.Text)
	return keepPictures(e.artifacts, about, output)
}

// keepPictures keeps the pictures of a result, the same one once, and says where they can be
// seen again: they leave the view, and the file that one was read from may change.
func keepPictures(artifacts *artifacts.Store, about artifacts.Artifact, output tools.Output) tools.Output {
	output.Pictures = slices.Clone(output.Pictures)
	for i, picture := range output.Pictures {
		about.Media = picture.Type
		kept, err := artifacts.Put(about, picture.Data)
		if err != nil || kept.Number == 0 { // then it is seen this once
			continue
		}
		address := tools.ArtifactAddress(kept.Number)
		output.Pictures[i].Address = address
		if strings.Contains(output.Text, address) {
			continue
		}
		if output.Text != "" && !strings.HasSuffix(output.Text, "\n") {
			output.Text += "\n"
		}
		output.Text += fmt.Sprintf("[the picture is stored as %s: read_file shows it again]\n", address)
	}
	return output
}

// keepCall keeps how a call that ran is taken back by another one, or that nothing does it.
// What sub-agents do is written down call by call.
func keepCall(keeper *undo.Keeper, title string, tool *tools.Tool, inverse *tools.Inverse, err error) {
	if keeper == nil || tool.Pool == tools.Agent || tool.Effect < tools.Writes || tool.Effect == tools.Writes && err != nil {
		return
	}
	if err != nil {
		inverse = nil // how far it came is not known
	}
	keeper.Ran(tools.Visible(tool.Name+" "+strings.TrimSpace(strings.TrimPrefix(title, tool.Name))), inverse)
}
