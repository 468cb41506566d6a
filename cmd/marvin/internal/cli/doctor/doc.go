// Package doctor implements the commands that report problems: doctor, log and report.
package doctor
