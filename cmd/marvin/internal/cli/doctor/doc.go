// Package doctor has the commands that say what is wrong: doctor, log and report.
package doctor
