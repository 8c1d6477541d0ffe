__kernel	void	test(	__global	int	*out	)	{
	int	i	=	get_global_id(0);
		if	(	i	>	1	)	out[i]	=	1	;	else	out[i]	=	2	;
	for	(	int	k	=	0	;	k	<	i	;	k++	)	out[i]++	;
}
// Tabs everywhere, a form feed on line 3.
// range: 4 2
// code: 1-5
// site: function 1 entered |
// site: if 3 true, false |
// site: for 4 0, 1, >1, boundary |
// lines:
// findings: 0
